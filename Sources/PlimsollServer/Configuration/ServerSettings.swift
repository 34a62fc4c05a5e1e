package import Configuration
import Foundation
import Synchronization
import SystemPackage

/// Where settings come from: the command line, then the environment, then a file, then defaults.
package enum ServerSettings {
    /// Reads from all of them; arguments are by key, and the file is JSON, if one is named.
    ///
    /// Throws ``ConfigurationError`` too where a setting is of another kind than what it is read as,
    /// which would count as its default; and, where the file is nobody else's, for a name in it that
    /// was not read.
    package static func read<Settings>(
        arguments: [String: ConfigContent] = [:],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = nil,
        isShared: Bool = false,
        _ body: (ConfigReader) throws -> Settings
    ) async throws -> Settings {
        let given = arguments.map { key, value in
            (AbsoluteConfigKey(ConfigKey(key)), ConfigValue(value, isSecret: false))
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                name: "command line",
                values: Dictionary(uniqueKeysWithValues: given)
            ),
            EnvironmentVariablesProvider(environmentVariables: environment)
                .prefixKeys(with: "plimsoll"),
        ]
        if let file {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        let accesses = SettingsAccesses()
        let settings = try body(ConfigReader(providers: providers, accessReporter: accesses))
        if let error = accesses.unreadable { throw error }
        if let file, !isShared { try accesses.requireRead(try names(in: file)) }
        return settings
    }

    /// The names of a file's settings, with dots where objects lie in one another.
    private static func names(in file: String) throws -> [String] {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
        return names(in: json, [])
    }

    private static func names(in json: Any, _ path: [String]) -> [String] {
        guard let object = json as? [String: Any] else { return [path.joined(separator: ".")] }
        return object.flatMap { name, value in names(in: value, path + [name]) }
    }
}

/// Which settings were asked for, and the first one that was of another kind.
private final class SettingsAccesses: AccessReporter {
    private let state = Mutex<(names: Set<String>, unreadable: ConfigurationError?)>(([], nil))

    var unreadable: ConfigurationError? { state.withLock { $0.unreadable } }

    func report(_ event: AccessEvent) {
        let key = event.metadata.key.description
        let isUnreadable =
            event.conversionError != nil
            || event.providerResults.contains { result in
                if case .failure = result.result { true } else { false }
            }
        state.withLock { state in
            state.names.insert(key)
            guard isUnreadable, state.unreadable == nil else { return }
            state.unreadable = ConfigurationError(key: key, needed: event.metadata.valueType.words)
        }
    }

    func requireRead(_ names: [String]) throws(ConfigurationError) {
        let read = state.withLock { $0.names }
        guard let name = names.sorted().first(where: { !read.contains($0) }) else { return }
        throw ConfigurationError(
            key: name,
            needed: "left out of the file: nothing here reads it",
            isOfFileAlone: true
        )
    }
}

extension ConfigType {
    fileprivate var words: String {
        switch self {
        case .bool: "true or false"
        case .int: "a whole number"
        case .string: "a text"
        case .stringArray: "a list of texts"
        default: "of another kind"
        }
    }
}
