#ifndef CREADINESS_H
#define CREADINESS_H

#endif
