#ifndef CGZIP_H
#define CGZIP_H

#include <stdint.h>
#include <sys/types.h>

/// Writes the bytes with gzip's frame (RFC 1952), which has neither a name nor a time, and says how
/// many came out; -1 where they do not fit, or there is no memory.
ssize_t cgzip_compress(const uint8_t *bytes, size_t count, uint8_t *result, size_t capacity);

/// Reads the bytes as a bare deflate stream (RFC 1951), and says how many came out; -1 where they are
/// no such stream, or anything follows it, or the result does not fit.
ssize_t cgzip_inflate(const uint8_t *bytes, size_t count, uint8_t *result, size_t capacity);

/// Of CRC-32, as zip and gzip have it.
uint32_t cgzip_checksum(const uint8_t *bytes, size_t count);

#endif
