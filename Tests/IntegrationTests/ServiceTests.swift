import Testing

/// Everything that starts the whole service, one test after the other: each has the machine alone.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct ServiceTests {}
