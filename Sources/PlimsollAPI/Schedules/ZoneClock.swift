import Foundation
package import PlimsollDomain

/// The clocks of a time zone, as the time zone data of this machine have them.
///
/// Only where people write or read a time; what is recorded and decided on is in UTC.
package struct ZoneClock: Sendable {
    package let name: TimeZoneName
    private let zone: TimeZone

    /// `nil` where there is no such zone.
    package init?(_ name: TimeZoneName) {
        guard let zone = TimeZone(identifier: name.text) else { return nil }
        self.name = name
        self.zone = zone
    }

    /// What the clocks show, with their offset: `2026-12-01T09:00:00.000+00:00`.
    package func text(_ instant: Instant) -> String {
        let offset = offset(at: instant)
        let shown = LocalTime(inUTC: instant.advanced(by: .seconds(offset))).text
        let minutes = abs(offset) / 60
        let sign = offset < 0 ? "-" : "+"
        return shown + sign + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    /// As people read it: `Tue 2026-12-01 09:00 Europe/London`.
    package func shown(_ instant: Instant) -> String {
        "\(local(instant).shown) \(name.text)"
    }

    /// What the clocks show.
    package func local(_ instant: Instant) -> LocalTime {
        LocalTime(inUTC: instant.advanced(by: .seconds(offset(at: instant))))
    }

    /// The clocks of this machine; those of UTC where its zone has no name.
    package static var ofThisMachine: ZoneClock? {
        TimeZoneName(TimeZone.current.identifier).flatMap(ZoneClock.init) ?? ZoneClock(.utc)
    }

    /// The instants at which the clocks show the time, earliest first.
    ///
    /// There is none where they are set forward over it, and there are two where they are set back
    /// over it.
    package func instants(showing time: LocalTime) -> [Instant] {
        readings(of: time).filter { reading in
            reading.advanced(by: .seconds(offset(at: reading))) == time.inUTC
        }
    }

    /// The instants that somebody may mean: the time with the offset of the day before and with
    /// that of the day after, earliest first.
    package func readings(of time: LocalTime) -> [Instant] {
        let offsets = [-86_400, 86_400].map { offset(at: time.inUTC.advanced(by: .seconds($0))) }
        return Set(offsets).map { time.inUTC.advanced(by: .seconds(-$0)) }.sorted()
    }

    private func offset(at instant: Instant) -> Int {
        let seconds = Double(instant.millisecondsSince1970) / 1000
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    }

    private func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
