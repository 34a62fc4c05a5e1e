extension Route {
    /// Every address of the console that asks who is there.
    static let all: [Route] = decisions + record + administration

    /// Those that people decide on.
    private static let decisions: [Route] =
        OverviewScreen.routes + ChangesScreen.routes + ChangeScreen.routes + ProposeScreen.routes
        + RollbackScreen.routes + BlockScreen.routes + ReceiptScreen.routes
        + PreviewScreen.routes + ReleasesScreen.routes + ReleaseScreen.routes
        + ReviewsScreen.routes + ReviewScreen.routes + FreezeScreen.routes

    /// Those that say what happened.
    private static let record: [Route] =
        HistoryScreen.routes + RecordExport.routes + CompareScreen.routes + DocumentScreen.routes
        + LogScreen.routes + LiveFeed.routes

    /// Those that look after what is decided about, and who decides.
    private static let administration: [Route] =
        PeopleScreen.routes + PersonScreen.routes + KeysScreen.routes + KeyScreen.routes
        + PolicyScreen.routes + SettingsScreen.routes + RegistrationScreen.routes
        + HealthScreen.routes + WebhooksScreen.routes + WebhookScreen.routes
        + SessionsScreen.routes
}
