import Foundation
import PackagePlugin

/// Puts the files of a target that are not Swift into its code, each as the bytes of a string.
///
/// `.embedInCode` would write a number for each byte, over which the compiler takes a minute.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = try files(in: target.directoryURL).sorted { $0.path < $1.path }
        let script = context.package.directoryURL.appending(path: "scripts/embed")
        let code = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files in \(target.name)",
                executable: script,
                arguments: [code.path] + files.map(\.path),
                inputFiles: [script] + files,
                outputFiles: [code]
            )
        ]
    }

    /// A folder may be a link to one elsewhere.
    private func files(in folder: URL) throws -> [URL] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        // Editors and file managers leave their own, whose names begin with a dot.
        return try names.filter { !$0.hasPrefix(".") }.flatMap { name in
            let file = folder.appending(path: name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            if isFolder.boolValue { return try files(in: file) }
            return file.pathExtension == "swift" ? [] : [file]
        }
    }
}
