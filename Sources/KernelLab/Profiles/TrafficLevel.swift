/// A level of memory whose traffic a profile counts, the farthest first.
public enum TrafficLevel: String, CaseIterable, Hashable, Sendable {
    case dram
    case l2
    case l1
    /// Memory that the threads of a block share.
    case shared

    /// `DRAM`, as the memory roofs of the device table are called.
    public var title: String {
        switch self {
        case .dram: "DRAM"
        case .l2: "L2"
        case .l1: "L1"
        case .shared: "shared"
        }
    }

    /// Whether a memory roof of this name is that of this level: `memory` and `HBM` are DRAM.
    public func isNamed(_ name: String) -> Bool {
        let name = name.lowercased()
        switch self {
        case .dram: return ["dram", "memory", "hbm", "gddr"].contains { name.hasPrefix($0) }
        case .l2: return name.hasPrefix("l2")
        case .l1: return name.hasPrefix("l1")
        case .shared: return name.hasPrefix("shared") || name.hasPrefix("lds")
        }
    }
}
