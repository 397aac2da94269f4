#ifndef ORRERY_CZSTANDARD_H
#define ORRERY_CZSTANDARD_H

#include <zstd.h>
#include <zstd_errors.h>

#endif
