package import Configuration
import Foundation
import SystemPackage

/// Where settings come from: the command line, then the environment, then a file, then defaults.
package enum ServerSettings {
    /// Reads from all of them; arguments are by key, and the file is JSON, if one is named.
    package static func reader(
        arguments: [String: ConfigContent],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String?
    ) async throws -> ConfigReader {
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
        return ConfigReader(providers: providers)
    }
}
