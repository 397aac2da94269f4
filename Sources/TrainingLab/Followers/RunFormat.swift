/// The formats in which runs of others are read.
public enum RunFormat: String, Sendable, CaseIterable {
    /// Event files of TensorBoard, a folder of them a run.
    case tensorBoard = "tensorboard"
    /// A `.wandb` file of Weights & Biases, as an offline run leaves it.
    case weightsAndBiases = "wandb"
    /// A JSON object a line.
    case jsonLines = "jsonl"
    /// `trainer_state.json` of Hugging Face's Trainer.
    case trainerState = "trainer_state"

    /// What a person calls it.
    public var title: String {
        switch self {
        case .tensorBoard: "TensorBoard event files"
        case .weightsAndBiases: "a W&B run"
        case .jsonLines: "a JSONL log"
        case .trainerState: "a trainer_state.json"
        }
    }
}
