internal import Evals
internal import FeatureLab
internal import KernelLab
internal import ModelLab
internal import Retrieval
internal import Traces
internal import TrainingLab
public import Workspace

extension Workbench {
    /// The steps that make the tables of every module that keeps something.
    public static let migrations =
        TraceStore.migrations + KernelHistory.migrations + ProfileStore.migrations + OwnKernelStore.migrations
        + ModelLab.migrations + TrainingLab.migrations + Retrieval.migrations + FeatureLab.migrations + Evals.migrations
}
