/// The peaks of devices by name: our table, and the user's own over it.
///
/// ```swift
/// let roof = DeviceCatalog.builtIn.roofline(for: "NVIDIA H100 80GB HBM3")
/// ```
public struct DeviceCatalog: Hashable, Sendable {
    /// Earlier ones win where two have the same name or alias.
    public var devices: [DevicePeaks]

    public init(devices: [DevicePeaks]) { self.devices = devices }

    /// The peaks of the device that a tool or a person calls so; nil if none is known.
    ///
    /// Names are compared without case, punctuation, trademark signs and the vendor's name, and as a whole: an
    /// `H100 NVL` is no `H100`.
    public func peaks(for name: String) -> DevicePeaks? {
        let wanted = Self.folded(name)
        guard !wanted.isEmpty else { return nil }
        return devices.first { Self.folded($0.name) == wanted }
            ?? devices.first { $0.aliases.contains { Self.folded($0) == wanted } }
    }

    /// The roofs of the device that is called so; nil if none is known.
    public func roofline(for name: String) -> Roofline? { peaks(for: name)?.roofline }

    /// This table with another's devices before its own, in place of those of the same name.
    public func overridden(by other: DeviceCatalog) -> DeviceCatalog {
        let names = Set(other.devices.map { Self.folded($0.name) })
        return DeviceCatalog(devices: other.devices + devices.filter { !names.contains(Self.folded($0.name)) })
    }

    /// `NVIDIA A100-SXM4-80GB` and `a100 sxm4 80gb` are the same.
    static func folded(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let noise: Set<Substring> = ["nvidia", "amd", "intel", "instinct", "geforce", "tesla", "gpu", "r", "tm"]
        return words.filter { !noise.contains($0) }.joined(separator: " ")
    }
}
