import PlimsollDomain

/// What every known release shows on every system that counts, as a table.
struct MatrixFields {
    private let matrix: DeviceMatrix
    private let isCompared: Bool
    /// Where one device of the table is looked at.
    private let address: (_ os: VersionValue, _ app: VersionValue) -> String

    init(
        _ matrix: DeviceMatrix,
        isCompared: Bool,
        address: @escaping (_ os: VersionValue, _ app: VersionValue) -> String
    ) {
        (self.matrix, self.isCompared, self.address) = (matrix, isCompared, address)
    }

    /// The newest release first.
    func fields(_ visit: Visit) -> Fields {
        Fields(all: [
            "systems": matrix.systems.map { "\(matrix.platform.name) \($0)" },
            "isEmpty": matrix.rows.isEmpty,
            "moved": isCompared
                ? visit.language("preview.moved", count: matrix.movedCount) : nil,
            "left": matrix.releasesLeftOut > 0
                ? visit.language("preview.releasesLeft", count: matrix.releasesLeftOut) : nil,
            "systemsLeft": matrix.systemsLeftOut > 0
                ? visit.language("preview.systemsLeft", count: matrix.systemsLeftOut) : nil,
            "rows": matrix.rows.reversed().map { row in
                [
                    "version": row.version.description,
                    "cells": zip(matrix.systems, row.cells).map { system, cell in
                        cell.map { fields(of: $0, address(system, row.version), visit) }
                            ?? ["isNone": true]
                    },
                ]
            },
        ])
    }

    private func fields(of cell: DeviceMatrix.Cell, _ address: String, _ visit: Visit) -> Fields {
        let hasScreen = !matrix.platform.thresholds.isEmpty
        let isMoved = cell.before != cell.after
        return Fields(all: [
            "isNone": false, "address": address,
            "shown": hasScreen
                ? [
                    "after": visit.language["cell.\(cell.after.rawValue)"], "mark": cell.after.mark,
                    "isMoved": isMoved, "before": visit.language["cell.\(cell.before.rawValue)"],
                ] : nil,
            // Where there is a screen, what the offers say is told only if it moves.
            "offers": !hasScreen || cell.isMovedByOffers
                ? [
                    "after": visit.language["offerCell.\(cell.offersAfter.rawValue)"],
                    "mark": cell.offersAfter.mark, "isMoved": cell.isMovedByOffers,
                    "before": visit.language["offerCell.\(cell.offersBefore.rawValue)"],
                ] : nil,
        ])
    }
}

extension OfferVerdict {
    fileprivate var mark: String {
        switch self {
        case .noUpdate: "good"
        case .updateOffered: "warn"
        case .updateRequired: "bad"
        }
    }
}
