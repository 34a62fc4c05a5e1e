package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let matrices: [any EndpointDeclaration] = [simulateReleases]

    package static let simulateReleases = Read<AppSlug, MatrixAnswer>(
        .get("simulateReleases", "/v1/apps/{app}/matrix"),
        "Simulates every known release on every system that counts, in two states.",
        query: [
            .required("platform", .platform), .optional("from", .state), .optional("to", .state),
        ]
    )
}

/// What every known release shows on every system that counts, as `GET /v1/apps/{app}/matrix`
/// answers it.
package struct MatrixAnswer: Answer, Shaped {
    package let app: AppSlug
    package let from: DiffAnswer.Side
    /// `nil` where one state is looked at.
    package let to: DiffAnswer.Side?
    package let matrix: DeviceMatrix

    package init(
        app: AppSlug,
        from: DiffAnswer.Side,
        to: DiffAnswer.Side?,
        matrix: DeviceMatrix
    ) {
        (self.app, self.from, self.to, self.matrix) = (app, from, to, matrix)
    }

    package static let shape = Shape<Self>(
        "Matrix",
        Self.init(app:from:to:matrix:),
        .required("app", \.app, .slug),
        .required("from", \.from, .object(DiffAnswer.Side.shape)),
        .nullable("to", \.to, .object(DiffAnswer.Side.shape)),
        .part(\.matrix, DeviceMatrix.shape)
    )

    /// What ``json`` says, without making it: of thousands of cells few are unlike.
    package var bytes: [UInt8] {
        var writer = CanonicalWriter(capacity: 1 << 16)
        writer.literal(#"{"app":"#)
        writer.string(app.text)
        writer.literal(#","from":"#)
        writer.value(.object(from.json))
        writer.literal(#","moved":\#(matrix.movedCount),"platform":"#)
        writer.string(matrix.platform.rawValue)
        writer.literal(#","releasesLeftOut":\#(matrix.releasesLeftOut),"rows":["#)
        var cells: [DeviceMatrix.Cell?: [UInt8]] = [nil: Array("null".utf8)]
        for (index, row) in matrix.rows.enumerated() {
            writer.literal(index == 0 ? #"{"cells":["# : #",{"cells":["#)
            for (place, cell) in row.cells.enumerated() {
                if place > 0 { writer.literal(",") }
                writer.literal(cell.bytes(&cells))
            }
            writer.literal(#"],"version":"#)
            writer.value(JSONValue(row.version))
            writer.literal("}")
        }
        writer.literal(#"],"systems":"#)
        writer.value(.array(matrix.systems.map { JSONValue($0) }))
        writer.literal(#","systemsLeftOut":\#(matrix.systemsLeftOut),"to":"#)
        writer.value(to.map { .object($0.json) } ?? .null)
        writer.literal("}")
        return writer.bytes
    }
}

extension DeviceMatrix.Cell? {
    /// As it was written before, where it was.
    fileprivate func bytes(_ written: inout [Self: [UInt8]]) -> [UInt8] {
        if let bytes = written[self] { return bytes }
        let bytes = map { DeviceMatrix.Cell.shape.json($0).canonicalBytes() } ?? []
        written[self] = bytes
        return bytes
    }
}

extension DeviceMatrix {
    fileprivate static let shape = Shape<Self>(
        nil,
        Self.init(platform:systems:rows:releasesLeftOut:systemsLeftOut:),
        .required("platform", \.platform, .names),
        .required("systems", \.systems, .array(of: .version)),
        .required("rows", \.rows, .objects(Row.shape)),
        .required("releasesLeftOut", \.releasesLeftOut, .count()),
        .required("systemsLeftOut", \.systemsLeftOut, .count())
    )
    .telling(.required("moved", \.movedCount, .count()))
    .checking { matrix, reader in
        let (systems, rows) = (
            reader.pointer.appending("systems"), reader.pointer.appending("rows")
        )
        for (index, system) in matrix.systems.enumerated() {
            let place = systems.appending(index)
            reader.check(system, is: matrix.platform.systemKind, at: place)
        }
        for (index, row) in matrix.rows.enumerated() {
            let place = rows.appending(index).appending("version")
            reader.check(row.version, is: matrix.platform.versionKind, at: place)
        }
    }
}

extension DeviceMatrix.Row {
    fileprivate static let shape = Shape<Self>(
        nil,
        Self.init(version:cells:),
        .required("version", \.version, .version),
        .required("cells", \.cells, .array(of: .nullable(.object(DeviceMatrix.Cell.shape))))
    )
}

extension DeviceMatrix.Cell {
    fileprivate static let shape = Shape<Self>(
        nil,
        { Self(before: $0, after: $1, offersBefore: $2.before, offersAfter: $2.after) },
        .required("before", \.before, .names),
        .required("after", \.after, .names),
        .required("offers", \.offers, .object(Offers.shape))
    )
    .telling(.required("moved", \.isMoved, .bool))

    private var offers: Offers { Offers(before: offersBefore, after: offersAfter) }

    fileprivate struct Offers {
        let before: OfferVerdict
        let after: OfferVerdict

        static let shape = Shape<Self>(
            nil,
            Self.init(before:after:),
            .required("before", \.before, .names),
            .required("after", \.after, .names)
        )
    }
}
