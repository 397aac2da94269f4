internal import Evals
internal import FeatureLab
internal import KernelLab
internal import ModelLab
internal import Retrieval
internal import Traces
internal import TrainingLab
public import Workspace

extension [Migration] {
    /// Migrations for the tables of all modules that store data.
    public static var workbench: [Migration] {
        TraceStore.migrations + KernelHistory.migrations + ProfileStore.migrations + OwnKernelStore.migrations
            + ModelLab.migrations + TrainingLab.migrations + Retrieval.migrations + FeatureLab.migrations
            + Evals.migrations
    }
}
