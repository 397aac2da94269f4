#ifndef ORRERY_CZLIB_H
#define ORRERY_CZLIB_H

#include <zlib.h>

#endif
