import Foundation

/// nginx with one worker and nothing else to do.
struct Nginx {
    let server: Server
    private let folder: URL

    private static let port = 18_082

    init(serving document: Document) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "plimsoll-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
        let file = folder.appending(path: "root" + Document.path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try document.body.write(to: file)
        let configuration = folder.appending(path: "nginx.conf")
        try Self.configuration(document, folder.path)
            .write(to: configuration, atomically: true, encoding: .utf8)
        server = try Server(
            "nginx",
            ["nginx", "-p", folder.path, "-c", configuration.path],
            port: Self.port
        )
    }

    func stop() {
        server.stop()
        // What is left over lies in the folder for temporary files.
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(_ document: Document, _ folder: String) -> String {
        let fields = document.fields
            .map { "add_header \($0.name) '\($0.value)';" }
            .joined(separator: "\n        ")
        return """
            daemon off;
            worker_processes 1;
            pid \(folder)/pid;
            error_log \(folder)/error.log crit;
            events { worker_connections 4096; }
            http {
                access_log off;
                server_tokens off;
                sendfile on;
                tcp_nodelay on;
                keepalive_requests 100000000;
                open_file_cache max=100;
                open_file_cache_valid 600s;
                types { }
                default_type application/json;
                server {
                    listen 127.0.0.1:\(port) backlog=1024;
                    root \(folder)/root;
                    max_ranges 0;
                    add_header Last-Modified '';
                    \(fields)
                }
            }
            """
    }
}
