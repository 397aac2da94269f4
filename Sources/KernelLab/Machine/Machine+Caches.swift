internal import CKernels
internal import Glibc
internal import System

extension Machine {
    /// The data caches by /sys/devices/system/cpu, otherwise by the processor's own word; empty if neither says.
    static func knownCaches() -> [Cache] {
        let listed = caches(inFolder: "/sys/devices/system/cpu/cpu0/cache")
        if !listed.isEmpty { return listed }
        return (1...3).compactMap { level in
            var sharedBy: Int32 = 0
            let bytes = orrery_cache_bytes(Int32(level), &sharedBy)
            return bytes > 0 ? Cache(level: level, bytes: bytes, sharedBy: max(1, Int(sharedBy))) : nil
        }
    }

    /// The caches that the folders `index0`, `index1`, ... describe, as Linux lays them out.
    package static func caches(inFolder folder: String) -> [Cache] {
        var found: [Cache] = []
        for index in 0..<16 {
            let place = "\(folder)/index\(index)"
            guard let type = SystemFile.line(place + "/type") else { break }
            guard type == "Data" || type == "Unified",
                let level = SystemFile.line(place + "/level").flatMap({ Int($0) }), (1...4).contains(level),
                let bytes = SystemFile.line(place + "/size").flatMap(bytes(of:)), bytes > 0
            else { continue }
            let sharedBy = SystemFile.line(place + "/shared_cpu_list").map(processors(in:)) ?? 1
            found.append(Cache(level: level, bytes: bytes, sharedBy: max(1, sharedBy)))
        }
        return found.sorted { $0.level < $1.level }
    }

    /// `48K`, `32M`.
    private static func bytes(of text: String) -> Int? {
        let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        guard let last = text.last else { return nil }
        guard let shift = units[last] else { return Int(text) }
        return Int(text.dropLast()).flatMap { $0 < 1 << 30 ? $0 << shift : nil }
    }

    /// How many processors `0-3,8` lists.
    private static func processors(in list: String) -> Int {
        list.split(separator: ",").reduce(0) { sum, part in
            let ends = part.split(separator: "-").compactMap { Int($0) }
            return sum + (ends.count == 2 ? max(0, ends[1] - ends[0]) + 1 : ends.count)
        }
    }
}

/// Small files that the system makes when they are read.
enum SystemFile {
    /// The first `limit` bytes; `nil` if there is no such file.
    static func text(_ path: String, limit: Int = 4096) -> String? {
        SmallFile.head(path, limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first line without its end.
    static func line(_ path: String) -> String? {
        text(path)?.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    }
}
