internal import Glibc
internal import System
public import Workspace

/// The dictionaries of a workspace: kept, indexed, searched, labeled.
///
/// ```swift
/// let store = FeatureStore(workspace)
/// let dictionary = try store.dictionary(matching: "mini-3")
/// for row in try store.features(of: dictionary.id, by: .density) { print(row.feature, row.density) }
/// let dashboard = try store.dashboard(of: dictionary.id, feature: 17)
/// ```
///
/// A value of this type may be used from any thread, by several at once. Errors are `Problem` and
/// `WorkspaceError`, whose sentences say what, where and what to do, and `CancellationError`.
///
/// - ``add(_:)``, ``dictionaries()``, ``dictionary(matching:)``, ``rename(_:to:)``, ``delete(_:)``.
/// - ``features(of:by:descending:limit:offset:)``, ``features(of:firingOn:limit:)``,
///   ``features(of:labeled:limit:)``, ``features(of:activeIn:by:limit:)``, ``dashboard(of:feature:)``.
/// - ``setLabel(_:note:of:feature:)``, ``importNeuronpedia(_:into:)``: what people say of features.
/// - ``buildIndex(of:settings:totalTokens:decoder:logits:cancellation:next:)``: what they fire on.
public struct FeatureStore: Sendable {
    /// Where all is kept.
    public let workspace: Workspace

    /// The store of a workspace that was opened with ``FeatureLab/migrations``.
    public init(_ workspace: Workspace) { self.workspace = workspace }
}
