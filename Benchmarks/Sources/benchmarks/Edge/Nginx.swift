import Foundation

/// nginx with one worker and nothing else to do.
enum Nginx {
    static func serving(_ document: Document, in folder: URL, port: UInt16) throws -> Server {
        let file = folder.appending(path: "root" + RunningService.documentPath)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(document.body).write(to: file)
        let configuration = folder.appending(path: "nginx.conf")
        try Data(text(document, folder.path, port).utf8).write(to: configuration)
        return try Server(
            "nginx",
            ["nginx", "-p", folder.path, "-c", configuration.path],
            alone: true,
            output: folder.appending(path: "output.log")
        ) { serves(port) }
    }

    private static func text(_ document: Document, _ folder: String, _ port: UInt16) -> String {
        let fields = document.fields
            .map { "add_header \($0.name) '\($0.value)';" }
            .joined(separator: "\n        ")
        return """
            daemon off;
            worker_processes 1;
            pid \(folder)/pid;
            error_log \(folder)/error.log crit;
            worker_rlimit_nofile 20000;
            events { worker_connections 20000; }
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
