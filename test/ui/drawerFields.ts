import '../support/vscodeStub.ts';

const { fieldViews } = await import('../../src/chat/ui/panel/drawerView.ts');

/** The fields of the drawer, as the host sends them. */
export const fields = fieldViews();
