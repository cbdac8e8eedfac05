#include "format/joint.h"
