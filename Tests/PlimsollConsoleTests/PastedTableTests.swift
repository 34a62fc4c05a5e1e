import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollConsole

struct PastedTableTests {
    // Goal: what a spreadsheet or a file hands over is read, with or without names of its columns.
    @Test(arguments: [
        ("3.1.0,15.4,7\n3.0,,8", true), ("app,os,devices\n3.1.0,15.4,7\n3.0,,8\n", true),
        ("devices;app\n7;3.1.0\n8;3.0", false), ("\n 3.1.0\t7\n3.0\t8 \n\n", false),
    ])
    func `tables are read as they are pasted`(_ text: String, _ hasSystems: Bool) throws {
        let table = PastedTable(text)
        let shares = try VersionShares(csv: Array(table.csv.utf8), .ios, columns: table.columns)
        #expect(shares.rows.map(\.app.description) == ["3.1.0", "3.0"])
        #expect(shares.rows.map(\.devices) == [7, 8])
        #expect((shares.rows[0].system != nil) == hasSystems)
    }

    // Goal: whoever pasted a table finds the line that is wrong.
    @Test(arguments: [("3.1.0,7\n3.0,x", "Line 2"), ("app,devices\n3.1.0,x", "Line 2")])
    func `what cannot be read is named by its line`(_ text: String, _ line: String) {
        let table = PastedTable(text)
        do throws(SharesTableFault) {
            _ = try VersionShares(csv: Array(table.csv.utf8), .ios, columns: table.columns)
            Issue.record("it was read")
        } catch {
            #expect(error.sentence.hasPrefix(line), "\(error.sentence)")
        }
    }
}
