import PlimsollSystem

/// What can be measured.
enum Benchmark: String, CaseIterable {
    case append
    case replay
    case verify
    case verifier
    case publication
    case road
    case rollback
    case edge
    case hostile
    case handshake
    case signing
    case audit
    case scale
    case client
    case rotation
    case devices
    case tree
    case drill
    case day
    case console
    case matrix
}

/// What was asked for on the command line.
struct Options {
    private(set) var benchmarks: [Benchmark] = []
    /// Where databases and other files of the benchmarks lie; it outlives them.
    let folder: Path
    /// The program `plimsoll`, for what is measured from outside.
    private(set) var plimsoll: String?
    private(set) var rounds = 5
    private(set) var seconds = 3
    private(set) var events = 1_000_000

    static let usage = """
        usage: benchmarks --folder DIR [--plimsoll PROGRAM] [--rounds N] [--seconds N]
                          [--events N] NAME…
        NAME is one of \(Benchmark.allCases.map(\.rawValue).joined(separator: ", "))
        """

    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        var folder: Path?
        while let word = rest.popFirst() {
            if let benchmark = Benchmark(rawValue: word) {
                benchmarks.append(benchmark)
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            if word == "--folder", value.hasPrefix("/") {
                folder = Path(value)
                continue
            }
            if word == "--plimsoll" {
                plimsoll = value
                continue
            }
            guard let number = Int(value), number > 0 else { return nil }
            switch word {
            case "--rounds": rounds = number
            case "--seconds": seconds = number
            case "--events": events = number
            default: return nil
            }
        }
        guard let folder, !benchmarks.isEmpty else { return nil }
        self.folder = folder
    }
}
