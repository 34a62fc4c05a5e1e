package import CoreMetrics
import Metrics
import PlimsollAPI
import Synchronization

/// Keeps what the parts of the service count and measure, for `/metrics` to show.
///
/// What has the same label and dimensions is one series, however often it is made; a series is
/// never forgotten, because a counter that begins again at 0 looks like a restart. There is room
/// for ``seriesMaximum`` of them, so that nothing a caller sends can fill the memory; what comes
/// after that is not kept.
package final class MetricsRegistry: MetricsFactory {
    package static let seriesMaximum = 4096

    private let series = Mutex<[SeriesName: any Series]>([:])

    package init() {}

    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler {
        kept(label, dimensions, CounterSeries.init) ?? CounterSeries()
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return kept(label, dimensions, GaugeSeries.init) ?? GaugeSeries() }
        return kept(label, dimensions, SummarySeries.init) ?? SummarySeries()
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        kept(label, dimensions, HistogramSeries.init) ?? HistogramSeries()
    }

    package func destroyCounter(_ handler: any CounterHandler) {}

    package func destroyRecorder(_ handler: any RecorderHandler) {}

    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Everything, in the text form that Prometheus reads (0.0.4).
    package var exposition: String {
        let families = Dictionary(grouping: series.withLock { Array($0) }, by: \.key.family)
        var text = ""
        for (family, members) in families.sorted(by: { $0.key < $1.key }) {
            guard let kind = members.first?.value.kind else { continue }
            if let help = SeriesHelp.byFamily[family] {
                text += "# HELP \(family)\(kind.suffix) \(help)\n"
            }
            text += "# TYPE \(family)\(kind.suffix) \(kind.rawValue)\n"
            // A label that was used for two kinds of metrics would make the text unreadable.
            for (name, series) in members.sorted(by: { $0.key < $1.key })
            where series.kind == kind {
                for sample in series.samples { text += sample.line(name) }
            }
        }
        return text
    }

    /// Says which program counts here, as `plimsoll_build_info`.
    package func tellBuild() {
        Gauge(
            label: "plimsoll.build.info",
            dimensions: [("version", ProgramVersion.text), ("swift", swiftVersion)],
            factory: self
        ).record(1)
    }

    /// The series of that name, or a new one; `nil` where there is no room or the name stands for
    /// another kind.
    private func kept<Kind: Series>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ make: () -> Kind
    ) -> Kind? {
        let name = SeriesName(label, dimensions)
        return series.withLock { series in
            if let known = series[name] { return known as? Kind }
            guard series.count < Self.seriesMaximum else { return nil }
            let made = make()
            series[name] = made
            return made
        }
    }
}

/// The compiler's, as far as a program can ask for it.
private let swiftVersion: String = {
    #if compiler(>=6.4)
        "6.4 or later"
    #else
        "6.3"
    #endif
}()
