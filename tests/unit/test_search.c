#include "config.h"
#include <criterion/criterion.h>
#include "chain/search.h"
