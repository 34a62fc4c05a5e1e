import Foundation
import PlimsollSystem

/// nginx with one worker and nothing else to do.
enum Nginx {
    static func serving(
        _ document: Document,
        in folder: URL,
        port: UInt16,
        certificate: ServerCertificate? = nil
    ) throws -> Server {
        let file = folder.appending(path: "root" + RunningService.documentPath)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(document.body).write(to: file)
        let fields = document.fields
            .map { "add_header \($0.name) '\($0.value)';" }
            .joined(separator: "\n        ")
        return try serving(
            """
            root \(folder.path)/root;
                    max_ranges 0;
                    add_header Last-Modified '';
                    \(fields)
            """,
            in: folder,
            port,
            certificate
        ) { certificate == nil ? serves(port) : listens(port) }
    }

    /// Serves a folder of packages below `/packages/`.
    static func serving(
        _ packages: Path,
        in folder: URL,
        port: UInt16,
        isReady: () -> Bool
    ) throws -> Server {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let content = "location /packages/ { alias \(packages.string)/; }"
        return try serving(content, in: folder, port, nil, isReady)
    }

    private static func serving(
        _ content: String,
        in folder: URL,
        _ port: UInt16,
        _ certificate: ServerCertificate?,
        _ isReady: () -> Bool
    ) throws -> Server {
        let configuration = folder.appending(path: "nginx.conf")
        try Data(text(content, folder.path, port, certificate).utf8).write(to: configuration)
        return try Server(
            "nginx",
            ["nginx", "-p", folder.path, "-c", configuration.path],
            alone: true,
            output: folder.appending(path: "output.log"),
            isReady: isReady
        )
    }

    /// The client chooses the cipher, as it does at the edge.
    private static func encryption(_ certificate: ServerCertificate) -> String {
        """
        ssl_certificate \(certificate.chain.string);
                ssl_certificate_key \(certificate.key.string);
                ssl_protocols TLSv1.2 TLSv1.3;
        """
    }

    private static func text(
        _ content: String,
        _ folder: String,
        _ port: UInt16,
        _ certificate: ServerCertificate?
    ) -> String {
        """
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
                listen 127.0.0.1:\(port)\(certificate == nil ? "" : " ssl") backlog=1024;
                \(certificate.map(encryption) ?? "")
                \(content)
            }
        }
        """
    }
}
