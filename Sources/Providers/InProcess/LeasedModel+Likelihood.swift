public import LanguageModels

extension LeasedModel: LikelihoodModel {
    public func likelihood(
        of continuation: String, after context: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        try local.likelihood(of: continuation, after: context, isCancelled: isCancelled)
    }

    public func likelihood(
        ofAll text: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        try local.likelihood(ofAll: text, isCancelled: isCancelled)
    }
}
