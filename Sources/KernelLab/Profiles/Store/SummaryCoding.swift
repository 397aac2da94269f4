import JSON

/// The devices of a profile as `profile.devices` holds them.
enum SummaryCoding {
    static func text(_ devices: [ProfiledDevice]) -> String { devices.json() }

    static func devices(_ text: String) -> [ProfiledDevice] {
        guard let document = try? JSONDocument(parsing: text) else { return [] }
        return document.withRoot { root in
            root.elements.map { node in
                var device = ProfiledDevice(name: node["name"]?.string ?? "")
                device.computeCapability = node["compute_capability"]?.string
                device.coreClock = node["core_clock_hz"]?.double
                device.memoryClock = node["memory_clock_hz"]?.double
                device.roof = node["roof"].flatMap { roofline($0) }
                return device
            }
        }
    }

    static func strings(_ text: String) -> [String] {
        guard let document = try? JSONDocument(parsing: text) else { return [] }
        return document.withRoot { root in root.elements.compactMap(\.string) }
    }

    private static func roofline(_ node: JSONNode) -> Roofline? {
        guard node.kind == .object else { return nil }
        let compute = node["compute"]?.elements.compactMap { roof in
            roof["rate"]?.double.map { Roofline.ComputeRoof(name: roof["name"]?.string ?? "", rate: $0) }
        }
        let memory = node["memory"]?.elements.compactMap { roof in
            roof["bandwidth"]?.double.map { Roofline.MemoryRoof(name: roof["name"]?.string ?? "", bandwidth: $0) }
        }
        return Roofline(
            title: node["title"]?.string ?? "", compute: compute ?? [], memory: memory ?? [],
            source: node["source"]?.string ?? "")
    }
}
