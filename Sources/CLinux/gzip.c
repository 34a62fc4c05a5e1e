#include "cgzip.h"

#include <limits.h>
#include <zlib.h>

// That of a gzip frame around the largest window.
static const int window_bits = MAX_WBITS + 16;
// zlib's own.
static const int memory_level = 8;

ssize_t cgzip_compress(const uint8_t *bytes, size_t count, uint8_t *result, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return -1;
    z_stream stream = {0};
    int ready = deflateInit2(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
    if (ready != Z_OK) return -1;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = result;
    stream.avail_out = (uInt)capacity;
    int done = deflate(&stream, Z_FINISH);
    ssize_t written = done == Z_STREAM_END ? (ssize_t)stream.total_out : -1;
    deflateEnd(&stream);
    return written;
}

ssize_t cgzip_inflate(const uint8_t *bytes, size_t count, uint8_t *result, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return -1;
    z_stream stream = {0};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return -1;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = result;
    stream.avail_out = (uInt)capacity;
    int done = inflate(&stream, Z_FINISH);
    int is_whole = done == Z_STREAM_END && stream.avail_in == 0;
    ssize_t written = is_whole ? (ssize_t)stream.total_out : -1;
    inflateEnd(&stream);
    return written;
}

uint32_t cgzip_checksum(const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32_z(0, bytes, count);
}
