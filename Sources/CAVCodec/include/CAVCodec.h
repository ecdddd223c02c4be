#ifndef CAVCODEC_H
#define CAVCODEC_H

#endif
