#ifndef CSOXR_H
#define CSOXR_H

#endif
