/*
 * Only what is new: which step goes before the one that is shown (diff/earlier), and both
 * sides made by it, where the setting `new-only` asks for that.
 */
#ifndef CATENA_UI_CONTROL_ONLY_NEW_H
#define CATENA_UI_CONTROL_ONLY_NEW_H

#include "ui/core/app.h"

extern const struct controller_ops only_new_controller;

#endif
