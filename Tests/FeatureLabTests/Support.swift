import FeatureLab
import GRDB
import Interpretability
import TestFixtures
import Tokenizers
import Workspace

/// A store in a workspace of its own.
struct Fixture {
    let folder = TemporaryFolder()
    let store: FeatureStore

    init() throws {
        store = FeatureStore(
            try Workspace.open(folder.file("t.orrery"), migrations: FeatureLab.migrations, create: true))
    }

    /// A second opening of the same file, as another process would have it.
    func reopened() throws -> FeatureStore {
        FeatureStore(try Workspace.open(folder.file("t.orrery"), migrations: FeatureLab.migrations))
    }

    func dictionary(_ name: String = "mini-3", features: Int = 40, width: Int = 8) throws -> FeatureDictionary {
        try store.add(.sample(name, features: features, width: width))
    }

    /// A file in the folder.
    func file(_ name: String, _ text: String) -> String {
        File.write(text, to: folder.file(name))
        return folder.file(name)
    }
}

extension FeatureDictionary.Description {
    static func sample(_ name: String = "mini-3", features: Int = 40, width: Int = 8) -> Self {
        Self(
            name: name, path: "/models/sae", digest: "00ff", hook: "blocks.3.hook_resid_post", model: "mini",
            modelPath: "/models/mini", kind: "topk", width: width, featureCount: features, meanActive: 4,
            metrics: #"{"l0": 4}"#)
    }
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

extension FeatureBlock {
    /// Sequences of 1 to 60 tokens with features of very different densities and ranges.
    static func random(sequences: Int, features: Int, vocabulary: Int = 50, seed: UInt64) -> FeatureBlock {
        var random = SplitMix(state: seed)
        var block = FeatureBlock(sequences: [], codes: SparseCodes(width: features))
        for _ in 0..<sequences {
            var tokens: [TokenID] = []
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                tokens.append(TokenID.random(in: 0..<Int32(vocabulary), using: &random))
                for feature in 0..<features - 1 where Float.random(in: 0..<1, using: &random) < 1 / Float(feature + 2) {
                    let spread = Float.random(in: 0.001..<1, using: &random)
                    block.codes.features.append(Int32(feature))
                    block.codes.values.append(spread * spread * spread * Float(1 + feature % 7))
                }
                block.codes.starts.append(block.codes.features.count)
            }
            block.sequences.append(tokens)
        }
        return block
    }

    /// The same sequences, in batches.
    func split(_ size: Int) -> [FeatureBlock] {
        var blocks: [FeatureBlock] = []
        var row = 0
        for first in stride(from: 0, to: sequences.count, by: size) {
            let some = Array(sequences[first..<min(sequences.count, first + size)])
            var codes = SparseCodes(width: codes.width)
            for _ in 0..<some.reduce(0, { $0 + $1.count }) {
                let range = self.codes.starts[row]..<self.codes.starts[row + 1]
                codes.features += self.codes.features[range]
                codes.values += self.codes.values[range]
                codes.starts.append(codes.features.count)
                row += 1
            }
            blocks.append(FeatureBlock(sequences: some, codes: codes))
        }
        return blocks
    }
}
