package import PlimsollPostgres

extension AdvisoryLock {
    /// Lets one exporter of a database work at a time.
    package static func ofExporter(on connection: ConnectionString) -> AdvisoryLock {
        // It spells "PlimExpt".
        AdvisoryLock(0x506C_696D_4578_7074, named: "plimsoll exporter", on: connection)
    }
}
