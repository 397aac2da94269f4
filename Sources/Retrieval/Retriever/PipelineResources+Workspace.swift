internal import ModelLab
internal import System
internal import Traces
public import Workspace

extension PipelineResources {
    /// Models as the workspace knows them: by the names of its registry, paths, and addresses. Calls are kept as spans.
    public init(of workspace: Workspace) {
        self.init(
            languageModel: { name throws(Problem) in
                do {
                    return try ModelHouse(workspace).model(name)
                } catch {
                    throw Problem(error, in: "")
                }
            },
            pairScorer: { name throws(Problem) in
                var path = name
                if let entry = try? ModelHouse(workspace).registry.entry(named: name) { path = entry.specification }
                return try Self.crossEncoder(path)
            })
    }
}
