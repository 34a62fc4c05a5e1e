/// Serves one document from the edge and from nginx, in turn, and prints the ratios.
///
/// nginx is given the edge's own bytes and fields as a static file, one worker, no access log,
/// and a cache of open files. Server and load generator have a processor each. Rounds alternate,
/// and what is compared are medians, since machines are noisy.
@main
struct EdgeBenchmark {
    private static let usage = """
        usage: edge [--rounds N] [--seconds N] -- COMMAND…

        COMMAND starts an edge in the foreground; {port} in it becomes the port to listen on:
          edge -- plimsoll edge --from EXPORT --keys EXPORT/keys.json --listen 127.0.0.1:{port}
        Needs nginx, wrk, curl and taskset.
        """

    static func main() throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print(usage)
            throw Failure(sentence: "the arguments were not understood")
        }
        let edge = try Server(
            "edge",
            options.command(port: 18_081),
            port: 18_081
        )
        defer { edge.stop() }
        let document = try Document(fetchedFrom: edge)
        let nginx = try Nginx(serving: document)
        defer { nginx.stop() }

        print("document of \(document.length) bytes, \(options.rounds) rounds")
        print(
            Table.row(["", "", "edge/s", "nginx/s", "ratio", "µs", "µs", "ratio", "p50", "p99"])
        )
        for status in [200, 304] {
            for connections in [64, 256] {
                let match = Match(status: status, connections: connections, options: options)
                print(try match.play(edge, nginx.server))
            }
        }
        print("µs: processor time of the server a request; p50 and p99: of the edge, in ms")
    }
}

/// What ended the benchmark.
struct Failure: Error, CustomStringConvertible {
    let sentence: String
    var description: String { sentence }
}
