/// Everything that decides a training run, as a file in TOML says it.
///
/// ```swift
/// let configuration = try TrainingConfiguration(contentsOf: "tiny.toml", overriding: ["training.steps=200"])
/// configuration.training.batch
/// ```
/// A key that there is not, a value of another type or out of its range is a sentence with the line. Paths are relative
/// to the file's folder. `TrainingConfiguration.explained` is a file with every key.
public struct TrainingConfiguration: Sendable, Equatable {
    /// The file; for sentences.
    public var path: String
    /// The text of the file, as it was read.
    public var text: String
    public var run: Run
    public var data: Data
    public var model: Model
    public var adapter: Adapter
    public var optimizer: OptimizerSettings
    public var schedule: ScheduleSettings
    public var training: Training
    public var evaluation: Evaluation
    public var checkpoints: CheckpointSettings
    public var record: Record
    /// Key and value, as they are in force, in the order of the keys.
    package var settings: [Setting]

    public struct Run: Sendable, Equatable {
        public var name: String
        public var seed: UInt64
        /// 0: every processor.
        public var threads: Int
    }

    public struct Data: Sendable, Equatable {
        public enum Kind: String, Sendable { case text, tokens, arrays, generated }
        public enum Packing: String, Sendable { case stream, documents, rows }
        public enum Order: String, Sendable { case shuffled, written }
        public enum Task: String, Sendable { case classification, regression }

        public var kind: Kind
        public var train: [String]
        public var validation: [String]
        public var validationShare: Double
        public var separator: String
        /// Tokens of a sequence.
        public var context: Int
        public var packing: Packing
        public var order: Order
        /// Whether the token after the end of a document is learned.
        public var learnsBoundaries: Bool
        public var learnsPrompts: Bool
        public var weights: [String]
        public var validationWeights: [String]
        public var vocabulary: Int
        public var inputs: String
        public var targets: String
        public var task: Task
        public var recipe: String
        /// The folder of token caches.
        public var cache: String
        public var tokenizer: TokenizerSettings
    }

    public struct TokenizerSettings: Sendable, Equatable {
        /// Empty: a vocabulary is learned.
        public var path: String
        public var vocabulary: Int
        public var minimumFrequency: Int
        /// How text is cut before pairs are merged: `gpt2`, `llama3`, `qwen2`.
        public var pattern: String
        public var specialTokens: [String]
        /// Bytes of text that it is learned from.
        public var sample: Int
    }

    public struct Model: Sendable, Equatable {
        public enum Kind: String, Sendable { case transformer, pretrained, mlp, conv }
        public enum Activation: String, Sendable { case relu, gelu, tanh }

        public var kind: Kind
        public var family: String
        public var layers: Int
        public var width: Int
        public var heads: Int
        public var keyValueHeads: Int
        /// 0: as usual in the family.
        public var hidden: Int
        public var isTied: Bool
        public var ropeTheta: Double
        public var path: String
        /// What the file says for it: a path, or a name that a registry knows.
        public var reference: String
        public var sizes: [Int]
        public var channels: [Int]
        public var image: [Int]
        public var activation: Activation
    }

    public struct Adapter: Sendable, Equatable {
        public enum Kind: String, Sendable { case none, lora }

        public var kind: Kind
        public var rank: Int
        public var alpha: Double
        public var dropout: Double
        public var targets: [String]
        public var isRankStabilized: Bool
    }

    /// The optimizer section.
    public struct OptimizerSettings: Sendable, Equatable {
        /// Update rule named by `optimizer.kind`.
        public var rule: UpdateRule
        /// Peak learning rate. If the rule has a scope, the rate of the parameters outside it.
        public var rate: Double
        /// Values of all hyperparameters of the rule and its fallback, by name; flags are 0 or 1.
        public var hyperparameters: [String: Double]
        /// Whether weight decay also applies to gains and biases.
        public var decaysAll: Bool
    }

    public struct ScheduleSettings: Sendable, Equatable {
        public enum Kind: String, Sendable {
            case constant, linear, cosine, wsd
            case oneCycle = "one_cycle"
            case inverseSquareRoot = "inverse_sqrt"
        }

        public var kind: Kind
        public var warmUp: Int
        /// Of the rate.
        public var minimum: Double
        public var decay: Double
    }

    public struct Training: Sendable, Equatable {
        public enum Precision: String, Sendable { case float32, bfloat16 }
        public enum OnDivergence: String, Sendable { case stop, halve }

        /// At most one of the three is not 0.
        public var steps: Int
        public var tokens: Int
        public var epochs: Double
        public var batch: Int
        public var accumulation: Int
        public var clip: Double
        public var ema: Double
        public var precision: Precision
        public var recomputes: Bool
        public var dropout: Double
        public var divergence: Double
        public var patience: Int
        public var onDivergence: OnDivergence
    }

    public struct Evaluation: Sendable, Equatable {
        public var every: Int
        public var batches: Int
        public var prompts: [String]
        public var tokens: Int
        public var temperature: Double
        public var stop: [String]
    }

    public struct CheckpointSettings: Sendable, Equatable {
        public var folder: String
        public var every: Int
        public var seconds: Double
        public var keep: Int
        public var keepsBest: Bool
    }

    public struct Record: Sendable, Equatable {
        public var every: Int
        public var norms: Int
    }

    package struct Setting: Sendable, Equatable {
        package var name: String
        package var value: String
        package var shapesCurve: Bool
    }
}
