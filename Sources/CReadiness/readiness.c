#include "creadiness.h"
