/// What was asked for on the command line.
struct Options {
    private(set) var rounds = 5
    private(set) var seconds = 3
    private let command: [String]

    init?(_ arguments: some Collection<String>) {
        let parts = arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        command = Array(parts[1])
        var rest = parts[0][...]
        while let name = rest.popFirst() {
            guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
            switch name {
            case "--rounds": rounds = number
            case "--seconds": seconds = number
            default: return nil
            }
        }
    }

    func command(port: Int) -> [String] {
        command.map { $0.replacing("{port}", with: "\(port)") }
    }
}
