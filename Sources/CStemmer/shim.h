#ifndef ORRERY_CSTEMMER_H
#define ORRERY_CSTEMMER_H

#include <libstemmer.h>

#endif
