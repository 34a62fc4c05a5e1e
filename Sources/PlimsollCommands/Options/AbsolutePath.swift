import Foundation

/// A path as seen from the root, since the database server works in another folder.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}
