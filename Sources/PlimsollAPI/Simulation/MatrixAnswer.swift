package import PlimsollDomain
package import PlimsollJSON

/// What every known release shows on every system that counts, as `GET /v1/apps/{app}/matrix`
/// answers it.
package struct MatrixAnswer: Answer {
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

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let from = reader.side("from")
        let to = reader.optionalNested("to", DiffAnswer.Side.init)
        let matrix = DeviceMatrix(&reader)
        guard let app, let from, let matrix else { return nil }
        self.init(app: app, from: from, to: to, matrix: matrix)
    }

    package var json: JSONObject {
        var json = matrix.json
        json["app"] = .string(app.text)
        json["from"] = .object(from.json)
        json["to"] = to.map { .object($0.json) } ?? .null
        return json
    }
}

extension DeviceMatrix {
    fileprivate init?(_ reader: inout ObjectReader) {
        let platform = reader.platform("platform")
        let kind = (platform ?? .ios).systemKind
        let systems = reader.member("systems", needing: "a list of systems") { json in
            json.array.flatMap { values in
                let systems = values.compactMap { VersionValue($0, kind) }
                return systems.count == values.count ? systems : nil
            }
        }
        let rows = reader.objects("rows", .ignored) { Row(&$0, on: platform) }
        let releasesLeftOut = reader.integer("releasesLeftOut")
        let systemsLeftOut = reader.integer("systemsLeftOut")
        guard let platform, let systems, let rows, let releasesLeftOut, let systemsLeftOut else {
            return nil
        }
        self.init(
            platform: platform,
            systems: systems,
            rows: rows,
            releasesLeftOut: Int(clamping: releasesLeftOut),
            systemsLeftOut: Int(clamping: systemsLeftOut)
        )
    }

    fileprivate var json: JSONObject {
        [
            "platform": .string(platform.rawValue),
            "systems": .array(systems.map(JSONValue.init)),
            "rows": .array(rows.map { .object($0.json) }),
            "moved": .integer(Int64(movedCount)),
            "releasesLeftOut": .integer(Int64(releasesLeftOut)),
            "systemsLeftOut": .integer(Int64(systemsLeftOut)),
        ]
    }
}

extension DeviceMatrix.Row {
    fileprivate init?(_ reader: inout ObjectReader, on platform: Platform?) {
        let version = reader.version("version", on: platform)
        let cells = reader.member("cells", needing: "a list of cells") { json in
            json.array.flatMap { values in
                let cells = values.compactMap(DeviceMatrix.Cell.read)
                return cells.count == values.count ? cells : nil
            }
        }
        guard let version, let cells else { return nil }
        self.init(version: version, cells: cells)
    }

    fileprivate var json: JSONObject {
        [
            "version": JSONValue(version),
            "cells": .array(cells.map { $0.map { .object($0.json) } ?? .null }),
        ]
    }
}

extension DeviceMatrix.Cell {
    /// A cell, an empty one, or `nil` for what is neither.
    fileprivate static func read(_ json: JSONValue) -> DeviceMatrix.Cell?? {
        if json == .null { return .some(nil) }
        guard let before = json["before"]?.string.flatMap(DeviceVerdict.init(rawValue:)),
            let after = json["after"]?.string.flatMap(DeviceVerdict.init(rawValue:)),
            let offers = json["offers"],
            let offersBefore = offers["before"]?.string.flatMap(OfferVerdict.init(rawValue:)),
            let offersAfter = offers["after"]?.string.flatMap(OfferVerdict.init(rawValue:))
        else { return nil }
        return DeviceMatrix.Cell(
            before: before,
            after: after,
            offersBefore: offersBefore,
            offersAfter: offersAfter
        )
    }

    fileprivate var json: JSONObject {
        [
            "before": .string(before.rawValue), "after": .string(after.rawValue),
            "offers": [
                "before": .string(offersBefore.rawValue), "after": .string(offersAfter.rawValue),
            ], "moved": .bool(isMoved),
        ]
    }
}
