extension Route {
    /// Every address of the console that asks who is there.
    static let all: [Route] =
        OverviewScreen.routes + ChangesScreen.routes + ChangeScreen.routes + SessionsScreen.routes
        + LiveFeed.routes
        + administration

    /// Those that look after what is decided about, and who decides.
    private static let administration: [Route] =
        ReviewsScreen.routes + ReviewScreen.routes + FreezeScreen.routes
        + PeopleScreen.routes + PersonScreen.routes + KeysScreen.routes + KeyScreen.routes
        + PolicyScreen.routes + SettingsScreen.routes + RegistrationScreen.routes
        + HealthScreen.routes + WebhooksScreen.routes + WebhookScreen.routes
        + LogScreen.routes
}
