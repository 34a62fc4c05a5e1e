import Foundation
import PlimsollDomain
import PlimsollJSON
import Testing

@testable import PlimsollConsole

/// What pages read out of texts that programs write.
struct ReadingTests {
    private let measurements = Measurements(
        """
        # HELP a_total How often.
        a_total 3
        b{app="har\\"b\\\\our, x=1",key="v"} 2.5
        b{app="ferry"} 1
        c_seconds_sum 1.5
        c_seconds_count 3
        d_seconds_sum 0
        d_seconds_count 0
        no number

        """
    )

    @Test func `a series is read with its labels, whatever stands in them`() {
        #expect(measurements.total("a_total") == 3)
        #expect(measurements.total("b") == 3.5)
        #expect(measurements["b"].map { $0.labels["app"] } == [#"har"b\our, x=1"#, "ferry"])
        #expect(measurements["b"].first?.labels["key"] == "v")
        #expect(measurements.total("no") == nil)
    }

    @Test func `what never happened took no time on average`() {
        #expect(measurements.mean("c_seconds") == 0.5)
        #expect(measurements.mean("d_seconds") == nil)
        #expect(measurements.mean("e_seconds") == nil)
    }

    @Test func `a fault is bad while there is one, and a delay only waits`() throws {
        let fault = try #require(HealthReading.all.first { $0.name == "sinks" })
        #expect(fault.isBad(1) && !fault.isBad(0) && fault.isGood(0))
        let delay = try #require(HealthReading.all.first { $0.name == "lag" })
        #expect(!delay.isBad(9) && delay.isWaiting(9) && delay.isGood(0))
    }

    @Test func `every reading and every part has its words`() {
        for reading in HealthReading.all {
            #expect(Language.all[0].keys.contains("health.reading.\(reading.name)"))
            #expect(HealthReading.parts.contains(reading.part))
        }
        for part in HealthReading.parts {
            #expect(Language.all[0].keys.contains("health.part.\(part)"))
            #expect(Language.all[0].keys.contains("health.help.\(part)"))
        }
    }

    @Test func `nothing is drawn of what never happened`() {
        let bound = ["le": "0.1"]
        #expect(HistogramBars([]) == nil)
        #expect(HistogramBars([Measurements.Sample(labels: bound, value: 0)]) == nil)
        #expect(HistogramBars([Measurements.Sample(labels: bound, value: 2)]) != nil)
    }

    @Test func `a checkpoint tells the log from its witnesses, and when they saw it`() throws {
        let (keyID, signature) = ([UInt8](1...4), [UInt8](repeating: 7, count: 64))
        // 1 700 000 000 seconds.
        let time: [UInt8] = [0, 0, 0, 0, 0x65, 0x53, 0xF1, 0]
        let note = """
            plimsoll.local/1
            124
            HU9BbToMqXVCb6p2usxRDAN4Vx5DlD5zFiRU2xYSMwM=

            — plimsoll.local/1 \(Data(keyID + signature).base64EncodedString())
            — witness.example \(Data(keyID + time + signature).base64EncodedString())

            """
        let checkpoint = try #require(CheckpointNote(note))
        #expect(checkpoint.origin == "plimsoll.local/1" && checkpoint.size == 124)
        #expect(checkpoint.lines.map(\.name) == ["plimsoll.local/1", "witness.example"])
        #expect(
            checkpoint.lines.map(\.cosignedAt)
                == [nil, Instant(millisecondsSince1970: 1_700_000_000_000)]
        )
        #expect(CheckpointNote("plimsoll.local/1\nmany\nroot\n") == nil)
    }

    @Test func `what people edit says what it said, on short lines`() throws {
        let text =
            #"{"rules":{"text":{"approvals":[{"count":1,"role":"approver"}]}},"a\"b":[1,2],"none":[]}"#
        let value = try JSONValue(parsing: Array(text.utf8))
        let indented = value.indented()
        #expect(indented.split(separator: "\n").count > 3)
        let again = try JSONValue(parsing: Array(indented.utf8))
        #expect(again.canonicalBytes() == value.canonicalBytes())
    }
}
