import TestFixtures
import Training
import TrainingLab
import Workspace

/// A store in a workspace of its own.
struct Fixture {
    let folder = TemporaryFolder()
    let store: RunStore

    init() throws {
        store = RunStore(
            try Workspace.open(folder.file("t.orrery"), migrations: TrainingLab.migrations, create: true))
    }

    /// A second opening of the same file, as another process would have it.
    func reopened() throws -> RunStore {
        RunStore(try Workspace.open(folder.file("t.orrery"), migrations: TrainingLab.migrations))
    }
}

extension RunDescription {
    static func sample(_ name: String = "mini", folder: String? = nil, steps: Int? = 100) -> RunDescription {
        RunDescription(
            name: name, configuration: "[model]\nlayers = 2\n", seed: .max, version: "0.5 (abc)", steps: steps,
            parameters: 4_800_000, batch: 4096, unit: "tokens", flopsPerStep: 1.25e11, threads: 2, folder: folder)
    }
}

extension RunPoint {
    /// A point ten milliseconds a step after the first of January 2026.
    static func at(_ step: Int, _ values: (series: String, value: Double)...) -> RunPoint {
        RunPoint(step: step, time: time(step), values: values)
    }

    static func time(_ step: Int) -> Int64 { 1_767_225_600_000_000_000 + Int64(step) * 10_000_000 }
}

/// Steele, Lea, Flood: SplitMix64.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
