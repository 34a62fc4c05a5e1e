import Foundation
import PlimsollAPI
import PlimsollDomain

/// How the service does: whether it does its work, and what it has counted and measured, in words.
enum HealthScreen {
    static let routes: [Route] = [.page("/health", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let hindrance = try await visit.hindrance()
        let shown = if let hindrance { await visit.fields(of: hindrance) } else { nil as Fields? }
        let measurements = Measurements(try await visit.rest.metrics())
        let apps = try await visit.rest.call(Endpoints.listApps).apps
        let parts: [Fields] = HealthReading.parts.map { part in
            let rows = HealthReading.all.filter { $0.part == part }.compactMap { reading in
                visit.row(of: reading, measurements)
            }
            return [
                "id": part, "name": visit.language["health.part.\(part)"],
                "help": visit.language["health.help.\(part)"], "rows": rows,
                "isEmpty": rows.isEmpty,
            ]
        }
        let duration = measurements["plimsoll_snapshot_publication_duration_seconds_bucket"]
        return Page(
            "health",
            visit.language["health.title"],
            [
                "isReady": hindrance == nil, "hindrance": shown,
                "parts": parts, "apps": apps.map { visit.edgeRow(of: $0, measurements) },
                "hasApps": !apps.isEmpty, "plot": HistogramBars(duration)?.fields(visit.language),
            ]
        )
    }
}

extension Visit {
    /// What keeps the service from its work; `nil` while it does it.
    fileprivate func hindrance() async throws -> Problem? {
        do throws(AdminError) {
            _ = try await rest.call(Endpoints.getReadiness)
            return nil
        } catch {
            guard let problem = error.problem else { throw error }
            return problem
        }
    }

    fileprivate func row(of reading: HealthReading, _ measurements: Measurements) -> Fields? {
        guard let value = reading.value(in: measurements) else { return nil }
        return [
            "name": language["health.reading.\(reading.name)"],
            "value": words(value, reading.kind), "series": reading.series,
            "isBad": reading.isBad(value), "isWaiting": reading.isWaiting(value),
            "isGood": reading.isGood(value),
        ]
    }

    /// What was published of an app, and what this instance's edge gives phones.
    fileprivate func edgeRow(of app: AppAnswer, _ measurements: Measurements) -> Fields {
        func value(_ series: String) -> Double? {
            measurements[series].first { $0.labels["app"] == app.slug.text }?.value
        }
        let (published, served) = (app.sequence, measurements.served(of: app.slug))
        return Fields(all: [
            "slug": app.slug.text, "published": published?.description,
            "served": served?.description,
            "isBehind": published != served,
            "isCurrent": published != nil && published == served,
            "isFailing": value("plimsoll_snapshot_failing") == 1,
            "isWaiting": value("plimsoll_snapshot_waiting") == 1,
            "age": value("plimsoll_snapshot_age_seconds").map { words($0, .seconds) },
        ])
    }

    private func words(_ value: Double, _ kind: HealthReading.Kind) -> String {
        switch kind {
        case .faults where value == 0, .waiting where value == 0, .delay where value == 0:
            language["health.none"]
        case .wanted, .flag: language[value == 0 ? "health.no" : "health.yes"]
        case .seconds, .mean, .delay: span(value)
        case .faults, .number, .waiting: Int64(exactly: value).map(String.init) ?? String(value)
        }
    }

    /// A time that something takes, in the largest unit that it fills.
    private func span(_ seconds: Double) -> String {
        switch seconds {
        case 0.000_001..<0.001: "< 1 ms"
        case ..<1: "\(Int((seconds * 1000).rounded())) ms"
        case ..<60: language("time.second", count: Int(seconds))
        case ..<3600: language("time.minute", count: Int(seconds / 60))
        case ..<172_800: language("time.hour", count: Int(seconds / 3600))
        default: language("time.day", count: Int(seconds / 86_400))
        }
    }
}
