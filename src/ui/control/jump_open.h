/* Jumps for which steps are opened: what is looked for, and how it is come to. */
#ifndef CATENA_UI_CONTROL_JUMP_OPEN_H
#define CATENA_UI_CONTROL_JUMP_OPEN_H

#include "ui/control/jump_state.h"

bool jump_begin_call(struct app *app, struct jump *j);
enum jump_answer jump_judge_call(
	struct app *app, struct jump *j, size_t place, uint64_t deadline);
bool jump_begin_speaker(struct app *app, struct jump *j);
enum jump_answer jump_judge_speaker(
	struct app *app, struct jump *j, size_t place, uint64_t deadline);
void jump_arrive_message(struct app *app, struct jump *j);
bool jump_begin_partner(struct app *app, struct jump *j);
enum jump_answer jump_judge_partner(
	struct app *app, struct jump *j, size_t place, uint64_t deadline);
/* To a call or result of the step that is open, by its index in the reading's pairs. */
void jump_go_end(struct app *app, size_t end);
void jump_arrive_partner(struct app *app, struct jump *j);

#endif
