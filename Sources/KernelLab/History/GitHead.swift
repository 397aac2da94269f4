internal import Glibc

/// The commit that is checked out around a folder, read from git's own files: no program is started.
///
/// It says nothing of files that differ from the commit.
public enum GitHead {
    /// The commit of the folder or the nearest one above it that is a repository; `nil` if there is none, or it has
    /// no commit yet.
    public static func commit(around folder: String? = nil) -> String? {
        guard var place = folder ?? currentFolder else { return nil }
        while true {
            if let directory = gitDirectory(in: place) { return commit(in: directory) }
            guard let slash = place.lastIndex(of: "/"), place.count > 1 else { return nil }
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
    }

    private static var currentFolder: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// `.git` is the directory itself, or a file that names it: of a work tree, or of a submodule.
    private static func gitDirectory(in folder: String) -> String? {
        let place = (folder == "/" ? "" : folder) + "/.git"
        if SystemFile.line(place + "/HEAD") != nil { return place }
        guard let line = SystemFile.line(place), line.hasPrefix("gitdir: ") else { return nil }
        let directory = String(line.dropFirst("gitdir: ".count))
        return directory.hasPrefix("/") ? directory : folder + "/" + directory
    }

    private static func commit(in directory: String) -> String? {
        guard let head = SystemFile.line(directory + "/HEAD") else { return nil }
        guard head.hasPrefix("ref: ") else { return hash(head) }
        let reference = String(head.dropFirst("ref: ".count))
        // Branches of a work tree lie with the repository that it belongs to.
        var places = [directory]
        if let common = SystemFile.line(directory + "/commondir") {
            places.append(common.hasPrefix("/") ? common : directory + "/" + common)
        }
        for place in places {
            if let found = SystemFile.line(place + "/" + reference).flatMap(hash) { return found }
        }
        for place in places {
            guard let packed = SystemFile.text(place + "/packed-refs", limit: 4 << 20) else { continue }
            for line in packed.split(separator: "\n") where line.hasSuffix(" " + reference) {
                if let found = line.split(separator: " ").first.map(String.init).flatMap(hash) { return found }
            }
        }
        return nil
    }

    /// 40 or 64 hexadecimal digits; nil for anything else.
    private static func hash(_ text: String) -> String? {
        let digits = text.utf8
        return (digits.count == 40 || digits.count == 64) && text.allSatisfy(\.isHexDigit) ? text : nil
    }
}
