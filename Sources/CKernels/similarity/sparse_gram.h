// Columns that one call works on: three registers of sixteen, or twelve of four.
#pragma once

#include "similarity.h"

enum { ORRERY_SPARSE_COLUMNS = 48 };
