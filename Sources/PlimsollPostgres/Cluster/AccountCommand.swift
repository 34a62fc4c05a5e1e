import PlimsollSystem
import Subprocess

/// Runs programs with the rights of the account that owns the cluster.
///
/// Everything that touches the account's folders is done as that account: root following a
/// link planted there would be the account's way to root. All programs get a clean environment
/// (a stray `PGDATA` or `PGPORT` would change what they do), no way to gain rights, and the
/// signal `SIGINT` when we die. That signal belongs to the *thread* that forked, so it is sound
/// only because swift-subprocess forks on one that lives as long as the process.
struct AccountCommand: Sendable {
    let account: Account
    /// How the programs learn the account's name where the machine does not have it.
    var names: NameLending?

    /// What a program said and how it ended.
    struct Outcome: Sendable {
        let isSuccess: Bool
        let output: String
    }

    static let outputSizeMaximum = 65_536

    /// The command line that becomes the program; its process keeps the id of the first word.
    func configuration(
        _ program: String,
        _ arguments: [String],
        platformOptions: PlatformOptions = PlatformOptions()
    ) -> Subprocess.Configuration {
        // Our own folder may be one that the account cannot enter, hence the change of folder.
        Subprocess.Configuration(
            executable: .name("setpriv"),
            arguments: Arguments(privileges + ["--", "env", "-C", "/", program] + arguments),
            environment: .custom(environment),
            platformOptions: platformOptions
        )
    }

    func run(_ program: String, _ arguments: [String], input: String = "") async throws -> Outcome {
        do {
            let result = try await Subprocess.run(
                configuration(program, arguments),
                input: .string(input),
                output: .string(limit: Self.outputSizeMaximum),
                error: .combinedWithOutput
            )
            return Outcome(
                isSuccess: result.terminationStatus.isSuccess,
                output: result.standardOutput.trimmingBlanks
            )
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw ClusterError.programMissing("setpriv")
        }
    }

    /// Runs a program that is expected to succeed.
    func require(_ program: String, _ arguments: [String], input: String = "") async throws {
        let outcome = try await run(program, arguments, input: input)
        guard outcome.isSuccess else {
            throw ClusterError.commandFailed(program, output: outcome.output)
        }
    }

    private var privileges: [String] {
        let common = ["--no-new-privs", "--pdeathsig", "INT"]
        guard Account.current?.isRoot == true, !account.isRoot else { return common }
        return ["--reuid", account.name, "--regid", "\(account.groupID)", "--init-groups"] + common
    }

    private var environment: [Environment.Key: String] {
        var environment: [Environment.Key: String] = [
            "LC_ALL": "C.UTF-8",
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "TZ": "UTC",
        ]
        for (name, value) in names?.environment ?? [:] {
            if let key = Environment.Key(rawValue: name) { environment[key] = value }
        }
        return environment
    }
}

extension String {
    var trimmingBlanks: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }
}
