package import PlimsollDomain

/// What is wrong with a table of devices, as a sentence.
package struct SharesTableFault: Error, Equatable {
    package let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

extension VersionShares {
    /// Reads a table with the columns `app`, `devices` and perhaps `os`, in any order.
    ///
    /// Nothing in it needs quotation marks, so there are none; lines end in a line feed, with or
    /// without a carriage return before it. The columns may be told apart from the table, whose first
    /// line is a row then.
    package init(
        csv bytes: [UInt8],
        _ platform: Platform,
        columns head: String? = nil
    ) throws(SharesTableFault) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SharesTableFault("It is not UTF-8.")
        }
        // Spreadsheets write a mark of the byte order before UTF-8.
        let unmarked = text.trimmingPrefix("\u{FEFF}")
        // A carriage return and a line feed are one character.
        var lines = unmarked.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first else { throw SharesTableFault("It is empty.") }
        let columns = try Columns(head.map { $0[...] } ?? first)
        var rows: [Row] = []
        for (number, line) in zip(1..., lines).dropFirst(head == nil ? 1 : 0) {
            rows.append(try columns.row(line, number, platform))
        }
        self.init(rows: rows)
    }
}

/// Which cell of a line is which.
private struct Columns {
    let names: [Substring]

    init(_ line: Substring) throws(SharesTableFault) {
        names = line.split(separator: ",", omittingEmptySubsequences: false)
        let known: Set<Substring> = ["app", "os", "devices"]
        guard Set(names).count == names.count, known.isSuperset(of: names),
            names.contains("app"), names.contains("devices")
        else {
            throw SharesTableFault(
                "Line 1 has to name the columns: app, devices and perhaps os, each once; it is"
                    + " \"\(excerpt(String(line)))\"."
            )
        }
    }

    func row(
        _ line: Substring,
        _ number: Int,
        _ platform: Platform
    ) throws(SharesTableFault) -> VersionShares.Row {
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        guard cells.count == names.count else {
            throw SharesTableFault(
                "Line \(number) needs \(names.count) cells, and has \(cells.count)."
            )
        }
        let values = Dictionary(uniqueKeysWithValues: zip(names, cells.map(String.init)))
        let devices = values["devices"] ?? ""
        guard let count = Int64(devices), devices.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw SharesTableFault(
                "Line \(number): devices is \"\(excerpt(devices))\"; it needs to be a whole number."
            )
        }
        let system = values["os"] ?? ""
        return VersionShares.Row(
            app: try version(values["app"] ?? "", "app", number, platform.versionKind),
            system: system.isEmpty ? nil : try version(system, "os", number, platform.systemKind),
            devices: count
        )
    }

    private func version(
        _ text: String,
        _ name: String,
        _ number: Int,
        _ kind: VersionKind
    ) throws(SharesTableFault) -> VersionValue {
        guard let version = VersionValue(text: text, kind) else {
            throw SharesTableFault(
                "Line \(number): \(name) is \"\(excerpt(text))\"; it needs to be \(kind.grammar)."
            )
        }
        return version
    }
}

/// So much of a text that a sentence stays one.
private func excerpt(_ text: String) -> String {
    text.count <= 60 ? text : text.prefix(59) + "…"
}
