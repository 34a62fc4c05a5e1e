package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge

/// Reads whole snapshots as another edge serves them, or a cache or a store in front of one.
package struct WebOrigin: SnapshotOrigin {
    private let address: ServiceAddress
    private let limits: Transport.Limits
    private let authorities: @Sendable () throws -> CertificateAuthorities?

    /// Publications in a row, each while the one before it is read: nobody publishes so fast.
    private static let readingsMaximum = 3

    package static let usualLimits = Transport.Limits(
        connectTimeout: .seconds(5),
        answerTimeout: .seconds(15),
        bytesMaximum: 16 << 20
    )

    /// Takes what stands before `/distribution`, and who vouches for it if the machine knows nobody;
    /// that is asked each time, since authorities change too.
    package init(
        _ address: ServiceAddress,
        limits: Transport.Limits = usualLimits,
        trusting authorities: @escaping @Sendable () throws -> CertificateAuthorities? = { nil }
    ) {
        self.address = address
        self.limits = limits
        self.authorities = authorities
    }

    package func current(
        of app: AppSlug,
        unless mark: OriginMark?
    ) async throws -> OriginReading {
        try await Transport.with(limits, trusting: authorities()) { transport in
            for _ in 1...Self.readingsMaximum {
                let answer = try await get(Manifest.fileName, of: app, mark, transport)
                switch answer.status {
                case 304 where mark != nil: return .unchanged
                case 404: return .absent
                case 200: break
                default: throw OriginDoubt("\(address) answered \(answer.status).")
                }
                guard let tag = answer.header("ETag") else {
                    throw OriginDoubt("\(address) does not say which version a manifest is.")
                }
                let fetched = try await FetchedSnapshot(of: app, manifest: answer.body) { name in
                    let answer = try await get(name, of: app, nil, transport)
                    return answer.status == 200 ? answer.body : nil
                }
                // The files were read one after another: a publication may have come in between.
                guard fetched.isOfOneMaking else { continue }
                return .found(fetched, OriginMark(tag))
            }
            throw OriginDoubt("The files of \(app) at \(address) do not belong together.")
        }
    }

    private func get(
        _ name: String,
        of app: AppSlug,
        _ mark: OriginMark?,
        _ transport: Transport
    ) async throws -> WebAnswer {
        try await transport.send(
            WebRequest(
                .get,
                address.url("/distribution/\(app)/\(name)"),
                headers: mark.map { [(name: "If-None-Match", value: $0.text)] } ?? []
            )
        )
    }
}
